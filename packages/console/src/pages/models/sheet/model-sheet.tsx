import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { Schemas } from '../../../api/client.ts'
import { FEATURES, type Feature } from '../../../api/features.ts'
import { formatCount, formatSpeed, plural } from '../../../lib/format.ts'
import { Badge, State } from '../../../parts/text/badge.tsx'
import { Button } from '../../../parts/control/button.tsx'
import { CopyButton } from '../../../parts/code/copy-button.tsx'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { DialogButton } from '../../../parts/dialog/dialog-button.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { ContextCut, describeSize } from '../../../parts/model/model-size.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { PresenceBadge } from '../../../parts/model/presence.tsx'
import { SlotsInUse } from '../../../parts/model/slots.tsx'
import { useSession } from '../../../session/session.ts'
import { DownloadList } from './download-list.tsx'
import { describeState } from '../describe-state.ts'
import { ModelDefaults } from './model-defaults.tsx'
import { ModelCopies } from './model-copies.tsx'
import { RemoveModelDialog } from '../remove-dialog.tsx'
import { useModelState } from '../use-model-state.ts'

type Model = Schemas['Model']

/** The details of a model: its devices, features and load. */
export function ModelSheet({ model, onClose }: { model: Model; onClose: () => void }) {
  const { isAdmin } = useSession()
  return (
    <Dialog shape="sheet" title={<Name text={model.name} />} onClose={onClose}>
      <div className="row">
        <State {...describeState(model)} />
        <CopyButton text={model.name} label="Copy name" isNamed />
      </div>
      <p className="text-soft">{adviceFor(model)}</p>
      {/* A download has its own buttons, and canceling the last one takes the model off the list. */}
      {isAdmin && !(model.state === 'adding' && model.downloads.length > 0) && (
        <SheetActions model={model} onClose={onClose} />
      )}
      <DownloadList downloads={model.downloads} />
      {model.state !== 'adding' && <ServingDetails model={model} />}
      <ModelCopies model={model} />
    </Dialog>
  )
}

/** Details that are known only while devices serve the model. */
function ServingDetails({ model }: { model: Model }) {
  return (
    <>
      <Facts
        facts={[
          ['Context', model.contextLength === null ? '–' : `${formatCount(model.contextLength)} tokens`],
          [
            'Slots in use',
            <SlotsInUse key="slots" running={model.running} slots={model.slots} queued={model.queued} />,
          ],
          // Only a name that someone chose says anything.
          ...(model.ownedBy === null || model.ownedBy === 'organization'
            ? []
            : [['Owned by', <Name key="owner" text={model.ownedBy} />] as const]),
          ['Added', <RelativeTime key="added" at={model.createdAt} none="not enabled yet" />],
        ]}
      />
      {model.state !== 'offered' && <ModelDefaults model={model} />}
      <section className="stack-small">
        <h3>Features</h3>
        {model.features.length === 0 && <p className="text-soft">Basic chat only.</p>}
        <ul className="stack-small [&_svg]:mt-2 [&_svg]:text-good">
          {model.features.map((feature) => (
            <li className="grid grid-cols-[1.2rem_minmax(0,1fr)] gap-5" key={feature}>
              <Check size={15} aria-hidden />
              <span>
                {FEATURES[feature].title} <span className="text-soft text-small">{FEATURES[feature].about}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <ServingList model={model} />
    </>
  )
}

function adviceFor({ state, devices }: Model): string {
  const isServed = devices.length > 0
  if (state === 'offered') return 'Your devices have this model, but it is not enabled. Requests for it get a 404.'
  if (state === 'disabled') return 'Requests for this model get a 403.'
  if (state === 'adding')
    return isServed
      ? 'It is being enabled.'
      : 'It accepts requests as soon as the first device has it. Until then, requests for it get a 404.'
  return isServed
    ? 'This model accepts requests.'
    : 'No device serves this model right now. Requests wait for one, for two minutes by default, and then get a 503.'
}

function SheetActions({ model, onClose }: { model: Model; onClose: () => void }) {
  const { enable, disable, isBusy } = useModelState()
  return (
    <div className="row">
      {model.state === 'enabled' ? (
        <Button isBusy={isBusy} onClick={() => disable(model.name)}>
          Disable
        </Button>
      ) : (
        <Button kind="primary" isBusy={isBusy} onClick={() => enable(model.name)}>
          Enable
        </Button>
      )}
      {model.state !== 'offered' && (
        <DialogButton renderDialog={(close) => <RemoveModelDialog model={model} onClose={close} />}>
          Remove…
        </DialogButton>
      )}
      {model.state === 'enabled' && (
        <Link to="/playground" search={{ open: model.name }} className="button" onClick={onClose}>
          Open in playground
        </Link>
      )}
    </div>
  )
}

/** Longer lists are cut off here. */
const MOST_SHOWN = 50

function ServingList({ model: { devices, features } }: { model: Model }) {
  return (
    <section className="stack-small">
      <h3>{devices.length === 0 ? 'No devices' : `Served by ${plural(devices.length, 'device')}`}</h3>
      <ul className="entries">
        {devices.slice(0, MOST_SHOWN).map((device) => (
          <li key={device.device}>
            <span className="entry-head">
              <span className="row">
                <Link to="/devices" search={{ open: device.device }}>
                  <Name text={device.name} />
                </Link>
                <PresenceBadge presence={device.presence} />
              </span>
              {device.isPaused ? (
                <Badge tone="warn">Paused</Badge>
              ) : (
                <SlotsInUse running={device.running} slots={device.slots} />
              )}
            </span>
            <span className="text-soft text-small">
              {describeSize(device)}
              {device.tokensPerSecond !== null && ` · ${formatSpeed(device.tokensPerSecond)} tokens/s`}
              {missing(features, device.features)}
            </span>
            <ContextCut model={device} />
          </li>
        ))}
      </ul>
      {devices.length > MOST_SHOWN && <p className="text-soft">and {formatCount(devices.length - MOST_SHOWN)} more</p>}
    </section>
  )
}

function missing(all: readonly Feature[], has: readonly Feature[]): string {
  const lacks = all.filter((feature) => !has.includes(feature)).map((feature) => FEATURES[feature].title)
  return lacks.length === 0 ? '' : ` · missing: ${lacks.join(', ')}`
}
