import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { FEATURES } from '../../../api/features.ts'
import { formatSpeed, plural, formatRelative } from '../../../lib/format.ts'
import { Badge } from '../../../parts/text/badge.tsx'
import { describeSize, isContextCut } from '../../../parts/model/model-size.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { PresenceBadge } from '../../../parts/model/presence.tsx'
import { SlotsInUse } from '../../../parts/model/slots.tsx'
import { TriangleAlert } from 'lucide-react'
import { Button } from '../../../parts/control/button.tsx'
import { useSession } from '../../../session/session.ts'
import { useRead } from '../../../session/use-read.ts'
import { useNow } from '../../../lib/now.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Sparkline } from '../../../parts/chart/sparkline.tsx'
import { Advice } from '../../../parts/feedback/note.tsx'
import { report } from '../../../parts/feedback/toasts.tsx'
import { useChange } from '../../../session/use-change.ts'

/** The models a device serves, with their features on that device. */
export function ServedModels({ device }: { device: Schemas['Device'] }) {
  const { models } = device
  return (
    <section className="stack-small">
      <h3>Models</h3>
      {models.length === 0 && <p className="text-soft">{explainNone(device)}</p>}
      <ul className="entries">
        {models.map((model) => (
          <ServedModel key={model.name} device={device} model={model} />
        ))}
      </ul>
    </section>
  )
}

function explainNone({ state, rest }: Pick<Schemas['Device'], 'state' | 'rest'>): string {
  if (state === 'offline') return 'Models are shown while the device is online.'
  if (rest !== null) return 'Models are shown while the device serves them.'
  return 'This device has no models. To add one, run this on the device: hearth-device models pull <name>'
}

interface ServedProps {
  device: Schemas['Device']
  model: Schemas['DeviceModel']
}

function ServedModel({ device, model }: ServedProps) {
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
      <span className="text-soft text-small">
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

/** The requests that a device rejects because they crashed a model's engine, and how to accept them again. */
function BlockedRequests({ device, model: { name, blockedRequests } }: ServedProps) {
  const { isAdmin } = useSession()
  const { mutateAsync, isPending } = useChange(['devices'], async (own) =>
    own.post('/devices/{device}/models/unblock', { device: device.id, body: { model: name } }),
  )
  if (blockedRequests === 0) return null
  const isOne = blockedRequests === 1
  const them = isOne ? 'it' : 'them'
  return (
    <Advice icon={TriangleAlert}>
      <div className="stack-small">
        <div>
          <strong>{plural(blockedRequests, 'request')} blocked.</strong> The engine crashed three times on{' '}
          {isOne ? 'it' : 'each of them'}, so this device rejects {them} for up to an hour. Changed or shorter requests
          are accepted. If you fixed the cause, for example by freeing memory, accept {them} again.
        </div>
        {isAdmin && device.library?.isOpen === true ? (
          <div className="row">
            <Button isBusy={isPending} onClick={() => report(mutateAsync(), 'The device accepts all requests again')}>
              Accept {them} again
            </Button>
          </div>
        ) : (
          <div>To accept {them} again, run this on the device: hearth-device unblock</div>
        )}
      </div>
    </Advice>
  )
}

/** One point is no line. */
const LEAST_POINTS = 2

/** How fast the device answered with the model, response by response. */
function SpeedHistory({ device, model }: { device: string; model: string }) {
  const { data } = useRead('/devices/{device}/speeds', { device })
  const now = useNow()
  const points = data?.models.find(({ name }) => name === model)?.points ?? []
  const [oldest] = points
  if (oldest === undefined || points.length < LEAST_POINTS) return null
  const speeds = points.map(({ tokensPerSecond }) => tokensPerSecond)
  const range = `${formatSpeed(Math.min(...speeds))} to ${formatSpeed(Math.max(...speeds))} tokens/s`
  const since = formatRelative(oldest.at, now)
  return (
    <div className="grid gap-1.5">
      <Sparkline
        values={speeds}
        label={`Speed of ${showOddCharacters(model)} over the last ${plural(points.length, 'response')}: ${range}`}
      />
      <span className="text-soft text-small">
        {range} over the last {plural(points.length, 'response')}, since {since}
      </span>
    </div>
  )
}
