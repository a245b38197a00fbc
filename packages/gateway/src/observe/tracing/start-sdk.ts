// Starts the OpenTelemetry SDK. Only imported when spans are wanted: a gateway that sends none doesn't load it.

import { diag, DiagLogLevel } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../../config.ts'
import { OWN_VERSION } from '../../own-version.ts'
import type { Log } from '../log.ts'
import { JobTraces } from './job-traces.ts'

/** A collector that doesn't answer must not hold up the end of the gateway. */
const CLOSE_MS = 3_000
const NOTICE_LENGTH = 300

/** The exporter itself reads the other standard variables: headers, certificates, compression and timeout. */
export function startSdk(config: Config, url: string, log: Log): JobTraces {
  const warn = (message: string) => log.warn({ why: message.slice(0, NOTICE_LENGTH) }, 'OpenTelemetry')
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN)
  const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': config.OTEL_SERVICE_NAME, 'service.version': OWN_VERSION }))
    .merge(detectResources({ detectors: [envDetector] }))
  const close = async () => {
    const enough = Promise.withResolvers<void>()
    const timer = setTimeout(enough.resolve, CLOSE_MS)
    await Promise.race([processor.shutdown().catch(() => undefined), enough.promise])
    clearTimeout(timer)
  }
  return new JobTraces({ sampler: samplerOf(config), resource, version: OWN_VERSION, processor, close })
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): Sampler {
  const plain = name.replace('parentbased_', '')
  const root =
    plain === 'always_on'
      ? new AlwaysOnSampler()
      : plain === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return plain === name ? root : new ParentBasedSampler({ root })
}
