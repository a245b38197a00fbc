import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../../api/client.ts'
import { FEATURES } from '../../../api/features.ts'
import { formatSpeed } from '../../../lib/format.ts'
import { Badge } from '../../../parts/text/badge.tsx'
import { describeSize, isContextCut } from '../../../parts/model/model-size.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { PresenceBadge } from '../../../parts/model/presence.tsx'
import { SlotsInUse } from '../../../parts/model/slots.tsx'
import { BlockedRequests } from './blocked-requests.tsx'
import { SpeedHistory } from './speed-history.tsx'
import '../../../parts/text/entries.css'

/** The models a device serves, with their features on that device. */
export function ServedModels({ device }: { device: Shapes['Device'] }) {
  const { models } = device
  return (
    <section className="stack-small">
      <h3>Models</h3>
      {models.length === 0 && <p className="soft">{explainNone(device)}</p>}
      <ul className="entries">
        {models.map((model) => (
          <ServedModel key={model.name} device={device} model={model} />
        ))}
      </ul>
    </section>
  )
}

function explainNone({ state, rest }: Pick<Shapes['Device'], 'state' | 'rest'>): string {
  if (state === 'offline') return 'Models are shown while the device is online.'
  if (rest !== null) return 'Models are shown while the device serves them.'
  return 'This device has no models. To add one, run this on the device: hearth-device models pull <name>'
}

function ServedModel({ device, model }: { device: Shapes['Device']; model: Shapes['DeviceModel'] }) {
  return (
    <li>
      <span className="entry-head">
        <span className="row">
          <Link to="/models" search={{ open: model.name }}>
            <Name text={model.name} />
          </Link>
          {!model.isEnabled && <Badge tone="accent">Not enabled</Badge>}
          <PresenceBadge presence={model.presence} />
          {isContextCut(model) && <Badge tone="warn">Context cut</Badge>}
        </span>
        <SlotsInUse running={model.running} slots={model.slots} />
      </span>
      <span className="soft small">
        {describeSize(model)}
        {model.tokensPerSecond !== null && ` · ${formatSpeed(model.tokensPerSecond)} tokens/s`}
      </span>
      <BlockedRequests device={device} model={model} />
      <SpeedHistory device={device.id} model={model.name} />
      <span className="row">
        {model.features.map((feature) => (
          <span key={feature} title={FEATURES[feature].about}>
            <Badge>{FEATURES[feature].title}</Badge>
          </span>
        ))}
        {model.missingFeatures.map((feature) => (
          <span key={feature} title={`Updating the app may add this: ${FEATURES[feature].about}`}>
            <Badge tone="warn">{FEATURES[feature].title} (after update)</Badge>
          </span>
        ))}
      </span>
    </li>
  )
}
