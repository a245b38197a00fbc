import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { overview as overviewQuery } from '../../../api/queries/organization.ts'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Loaded, Waiting } from '../../../parts/feedback/states.tsx'
import { LocalOnly } from '../../../session/local-only.tsx'
import { useSession } from '../../../session/session.ts'

type Sealing = Shapes['Sealing']

/** The four commands, with this gateway's address. */
export function SetUpSteps({ sealing: { program } }: { sealing: Sealing }) {
  const { organization } = useSession()
  const query = useQuery(overviewQuery(organization.id))
  return (
    <section className="card card-body stack" aria-labelledby="seal-steps">
      <header>
        <h3 id="seal-steps">How to set it up</h3>
        <p className="soft">Run these on your own computer, not on the gateway’s.</p>
      </header>
      <LocalOnly />
      <Loaded query={query} waiting={<Waiting lines={8} />}>
        {({ gatewayUrl }) => <Steps gatewayUrl={gatewayUrl} program={program} />}
      </Loaded>
    </section>
  )
}

function Steps({ gatewayUrl, program }: { gatewayUrl: string; program: Sealing['program'] }) {
  return (
    <ol className="settings-steps">
      <Step title="Install" command={program?.installCommand}>
        {program === null ? (
          'This gateway doesn’t hand out hearth-seal. Run it from a copy of Hearth’s repository: npx hearth-seal'
        ) : (
          <>
            Version {program.version}. SHA-256 of the program:{' '}
            <code className="settings-checksum">{program.sha256}</code>
          </>
        )}
      </Step>
      <Step title="Make the seal" command={`hearth-seal init --gateway ${gatewayUrl}`}>
        Once per organization. Paste the line that it prints, hs-…, under Seal. The secret half stays in your home
        folder: keep a backup.
      </Step>
      <Step title="Approve devices" command="hearth-seal approve">
        It shows the fingerprint of each device. Compare it with the one that hearth-device status shows on that
        machine.
      </Step>
      <Step title="Send sealed requests" command={`hearth-seal proxy --gateway ${gatewayUrl}`}>
        On every machine with apps. Use http://127.0.0.1:8282/openai/v1 as their base URL. Nothing else changes.
      </Step>
    </ol>
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
      <h4>{title}</h4>
      {command !== undefined && <Code text={command} label={title} />}
      <p className="soft small">{children}</p>
    </li>
  )
}
