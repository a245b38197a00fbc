import type { ReactNode } from 'react'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Loaded, Skeleton } from '../../../parts/feedback/states.tsx'
import { LocalOnly } from '../../../session/local-only.tsx'
import { useRead } from '../../../session/use-read.ts'

/** The four commands, with this gateway's address. */
export function SetUpSteps() {
  const overview = useRead('/overview')
  const program = useRead('/sealing/program', {}, { staleTime: 'static' })
  return (
    <section className="card card-body stack" aria-labelledby="seal-steps">
      <header>
        <h3 id="seal-steps">How to set it up</h3>
        <p className="text-soft">Run these on your own computer, not on the gateway’s.</p>
      </header>
      <LocalOnly />
      <Loaded query={overview} loading={<Skeleton lines={8} />}>
        {({ gatewayUrl }) => (
          <ol className="grid gap-11 [counter-reset:step]">
            <Step title="Install" command={program.data?.installCommand}>
              <Loaded
                query={program}
                loading="The gateway packs the program…"
                failed="The gateway can’t hand out the program right now. A copy of Hearth’s repository has it, too: hearth seal"
              >
                {({ version, sha256 }) => (
                  <>
                    Version {version}. The installer shows this checksum:{' '}
                    <code className="min-w-0 wrap-anywhere">{sha256}</code>
                  </>
                )}
              </Loaded>
            </Step>
            <Step title="Make the seal" command="hearth-seal init">
              Once per organization. Paste the line that it prints, hs-…, under Seal. The secret half stays on your
              computer: keep a copy in a safe place.
            </Step>
            <Step title="Approve devices" command={`hearth-seal approve --gateway ${gatewayUrl}`}>
              It uses your API key from HEARTH_API_KEY. Compare the words of each device with those that hearth-device
              status shows on that machine, not with this page.
            </Step>
            <Step title="Send sealed requests" command={`hearth-seal proxy --gateway ${gatewayUrl}`}>
              On every machine with apps, with http://127.0.0.1:8282/openai/v1 as their base URL. Everyone but you also
              needs --seal hs-…: give it to them yourself, not through the gateway.
            </Step>
          </ol>
        )}
      </Loaded>
    </section>
  )
}

interface StepProps {
  title: string
  command: string | undefined
  children: ReactNode
}

function Step({ title, command, children }: StepProps) {
  return (
    <li className="stack-small">
      <h4 className="font-medium before:content-[counter(step)_'._'] before:[counter-increment:step]">{title}</h4>
      {command !== undefined && <Code text={command} label={title} />}
      <p className="text-soft text-small">{children}</p>
    </li>
  )
}
