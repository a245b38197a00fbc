import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Banner } from '../../../parts/feedback/note.tsx'
import { Loaded, Skeleton } from '../../../parts/feedback/states.tsx'
import { Section } from '../../../parts/frame/page.tsx'
import { useSession } from '../../../session/session.ts'
import { useRead } from '../../../session/use-read.ts'
import { ModeForm, ModeState } from './mode-form.tsx'
import { SealCard } from './seal-card.tsx'
import { SealedDevices } from './sealed-devices.tsx'
import { SetUpSteps } from './set-up-steps.tsx'
import { describeSealing } from './describe-sealing.ts'

export function SealedRequests() {
  const { isAdmin } = useSession()
  const query = useRead('/sealing')
  return (
    <Section
      title="Sealed requests"
      about="Apps encrypt their requests for the devices that you approve. The gateway passes them on and can't read them."
    >
      <Loaded query={query} loading={<Skeleton lines={12} />}>
        {(sealing) =>
          sealing.seal !== null ? (
            <div className="stack">
              <Notice sealing={sealing} />
              <ModeForm key={sealing.mode} sealing={sealing} />
              <SealCard sealing={sealing} />
              <SealedDevices sealing={sealing} />
              <Folded title="How to set it up, and what the gateway still learns">
                <SetUpSteps />
                <GatewayKnows />
              </Folded>
            </div>
          ) : (
            // There is nothing to choose before there is a seal.
            <div className="stack">
              <ModeState mode={sealing.mode} />
              {isAdmin ? (
                <Folded title="Set up sealed requests">
                  <SetUpSteps />
                  <SealCard sealing={sealing} />
                  <GatewayKnows />
                </Folded>
              ) : (
                <p className="text-soft">An owner or admin can set them up.</p>
              )}
            </div>
          )
        }
      </Loaded>
    </Section>
  )
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details>
      <summary className="font-medium">{title}</summary>
      <div className="stack mt-7.5">{children}</div>
    </details>
  )
}

/** Says what to do next, if there is something to do. */
function Notice({ sealing }: { sealing: Schemas['Sealing'] }) {
  const notice = describeSealing(sealing)
  if (notice === undefined) return null
  return (
    <Banner icon={TriangleAlert} size={18} role="note">
      <span>
        <strong>{notice.title}</strong> {notice.text}
      </span>
    </Banner>
  )
}

/** An honest list: sealing hides the content, not that someone asks. */
function GatewayKnows() {
  return (
    <section className="card card-body stack-small">
      <h3>What the gateway still learns</h3>
      <p className="text-soft">
        Who sends a request and when, the model and the features it needs, its rounded size, how many tokens it took,
        which device answered, and whether a client’s prompt begins like an earlier one of its own. Never the prompt,
        the reply, tools, schemas or files.
      </p>
      <p className="text-soft">
        It can also delay or drop a request. A device that searches the web sends the search terms to the search engine.
        See docs/sealed.md for the details.
      </p>
    </section>
  )
}
