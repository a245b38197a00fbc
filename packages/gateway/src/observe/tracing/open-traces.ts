import type { Config } from '../../config.ts'
import type { Log } from '../log.ts'
import type { JobTraces } from './job-traces.ts'

/** Undefined if nobody wants spans. */
export async function openTraces(config: Config, log: Log): Promise<JobTraces | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config
  const url = own === '' && endpoint !== '' ? `${endpoint}/v1/traces` : own
  if (url === '') return undefined
  const { startSdk } = await import('./start-sdk.ts')
  return startSdk(config, url, log)
}
