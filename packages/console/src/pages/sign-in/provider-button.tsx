import { api, send } from '../../api/client.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { keepWayBack } from '../../lib/way-back.ts'

/** Goes to the external provider, which returns here after sign-in. */
export function ProviderButton({ name }: { name: string }) {
  const act = async () => {
    const { url } = await send(api.POST('/sign-in/provider'))
    keepWayBack()
    window.location.assign(url)
  }
  return <Form act={act} action={`Continue with ${name}`} kind="plain" isWide />
}
