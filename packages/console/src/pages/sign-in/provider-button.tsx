import { api, send } from '../../api/client.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { saveReturnPath } from '../../lib/return-path.ts'

/** Between two ways to sign in. */
export function Or() {
  return (
    <p className="flex items-center gap-7.5 text-faint before:flex-1 before:h-px before:bg-line after:flex-1 after:h-px after:bg-line">
      or
    </p>
  )
}

/** Goes to the external provider, which returns here after sign-in. */
export function ProviderButton({ name }: { name: string }) {
  const act = async () => {
    const { url } = await send(api.POST('/sign-in/provider'))
    saveReturnPath()
    window.location.assign(url)
  }
  return <Form act={act} action={`Continue with ${name}`} kind="plain" isWide />
}
