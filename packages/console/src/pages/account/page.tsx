import { Page } from '../../parts/page.tsx'

export function AccountPage() {
  return <Page title="Your account">{null}</Page>
}
