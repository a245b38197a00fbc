import { Page } from '../../parts/page.tsx'

export function ApprovePage() {
  return <Page title="Approve a device">{null}</Page>
}
