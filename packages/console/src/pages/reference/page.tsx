import { Page } from '../../parts/page.tsx'

export function ReferencePage() {
  return <Page title="API reference">{null}</Page>
}
