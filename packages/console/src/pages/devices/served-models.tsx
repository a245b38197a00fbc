import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../api/client.ts'
import { FEATURES } from '../../api/features.ts'
import { formatContext, formatSpeed } from '../../lib/format.ts'
import { Badge } from '../../parts/badge.tsx'
import { Name } from '../../parts/name.tsx'
import { SlotsInUse } from '../../parts/slots.tsx'
import '../../parts/entries.css'

/** The models a device serves, with what they can do there. */
export function ServedModels({ device: { models, state } }: { device: Shapes['Device'] }) {
  return (
    <section className="stack-small">
      <h3>Models</h3>
      {models.length === 0 && (
        <p className="soft">
          {state === 'offline'
            ? 'They are shown while the device is linked.'
            : 'It serves none. On the machine: hearth-device models pull <name>'}
        </p>
      )}
      <ul className="entries">
        {models.map((model) => (
          <ServedModel key={model.name} model={model} />
        ))}
      </ul>
    </section>
  )
}

function ServedModel({ model }: { model: Shapes['DeviceModel'] }) {
  return (
    <li>
      <span className="entry-head">
        <span className="row">
          <Link to="/models" search={{ open: model.name }}>
            <Name text={model.name} />
          </Link>
          {!model.isEnabled && <Badge tone="accent">Not enabled</Badge>}
        </span>
        <SlotsInUse running={model.running} slots={model.slots} />
      </span>
      <span className="soft small">
        {formatContext(model.contextLength)} context
        {model.tokensPerSecond !== null && ` · ${formatSpeed(model.tokensPerSecond)} tokens/s`}
      </span>
      <span className="row">
        {model.features.map((feature) => (
          <span key={feature} title={FEATURES[feature].about}>
            <Badge>{FEATURES[feature].title}</Badge>
          </span>
        ))}
        {model.missingFeatures.map((feature) => (
          <span key={feature} title={`An update of the app may bring it: ${FEATURES[feature].about}`}>
            <Badge tone="warn">{FEATURES[feature].title} after an update</Badge>
          </span>
        ))}
      </span>
    </li>
  )
}
