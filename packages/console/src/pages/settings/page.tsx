import { Page } from '../../parts/frame/page.tsx'
import { useSession } from '../../session/session.ts'
import { PromptReuse } from './prompt-reuse.tsx'
import { SealedRequests } from './sealing/sealed-requests.tsx'
import './settings.css'

export function SettingsPage() {
  const { organization } = useSession()
  return (
    <Page title="Settings" about="For everyone in this organization.">
      <SealedRequests />
      {organization.role === 'owner' && <PromptReuse />}
    </Page>
  )
}
