import { Form } from '../../parts/dialog/form.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { General } from './general.tsx'
import { SealedRequests } from './sealing/sealed-requests.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CheckField } from '../../parts/control/field.tsx'
import { Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { BudgetField, BudgetLine, fromField, toField, useBudget } from '../../session/budget.tsx'
import { useChange } from '../../session/use-change.ts'

export function SettingsPage() {
  return (
    <Page title="Settings" about="For everyone in this organization.">
      <General />
      <SealedRequests />
      <Privacy />
      <Limits />
    </Page>
  )
}

/** The budget of everybody together. Only owners change it. */
function Limits() {
  const { organization } = useSession()
  const query = useRead('')
  const budget = useBudget('organization', organization.id)
  return (
    <Section title="Limits" about="How many tokens a month this organization can use.">
      <Loaded query={query} loading={<Skeleton lines={2} />}>
        {({ tokensPerMonth }) => (
          <div className="card card-body stack">
            {budget ? (
              <BudgetLine budget={budget} />
            ) : (
              organization.role !== 'owner' && <p>There is no monthly budget.</p>
            )}
            {organization.role === 'owner' && <BudgetForm key={tokensPerMonth} tokensPerMonth={tokensPerMonth} />}
            <p className="text-soft">
              Members can have a budget of their own under <Link to="/members">Members</Link>, and API keys a budget and
              rate limits under <Link to="/keys">Keys</Link>.
            </p>
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function BudgetForm({ tokensPerMonth }: { tokensPerMonth: number | null }) {
  const before = toField(tokensPerMonth)
  const [tokens, setTokens] = useState(before)
  const { mutateAsync } = useChange(['organization'], async (own) =>
    own.patch('', { body: { tokensPerMonth: fromField(tokens) } }),
  )
  return (
    <Form className="stack max-w-240" act={mutateAsync} action="Save" done="Budget saved" disabled={tokens === before}>
      <BudgetField
        value={tokens}
        onText={setTokens}
        hint="Tokens in and out. At 100%, requests get a 429 until the next month begins, at midnight UTC."
      />
    </Form>
  )
}

/** Whether devices reuse prompts across keys. Only owners change it. */
function Privacy() {
  const { organization } = useSession()
  const query = useRead('')
  return (
    <Section title="Privacy" about="Devices answer faster when a request begins like one that they remember.">
      <Loaded query={query} loading={<Skeleton lines={2} />}>
        {({ separatesPrefixes }) =>
          organization.role === 'owner' ? (
            <ReuseForm separatesPrefixes={separatesPrefixes} />
          ) : (
            <p className="card card-body">
              Devices reuse prompts {separatesPrefixes ? 'of the same API key only.' : 'across the API keys here.'}
            </p>
          )
        }
      </Loaded>
    </Section>
  )
}

function ReuseForm({ separatesPrefixes: before }: { separatesPrefixes: boolean }) {
  const [separatesPrefixes, setSeparatesPrefixes] = useState(before)
  const { mutateAsync } = useChange(['organization'], async (own) => own.patch('', { body: { separatesPrefixes } }))
  const form = { act: mutateAsync, action: 'Save', done: 'Settings saved', disabled: separatesPrefixes === before }
  return (
    <Form className="card card-body stack" {...form}>
      <CheckField
        label="Separate prefix reuse by key"
        hint="Devices reuse only prompts of the same API key, so response times reveal nothing about the prompts of others. Local servers and outdated devices can't do this and get no requests."
        checked={separatesPrefixes}
        onChange={(event) => setSeparatesPrefixes(event.target.checked)}
      />
    </Form>
  )
}
