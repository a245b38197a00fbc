import { api, send } from '../../api/client.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { keepWayBack } from '../../lib/way-back.ts'
import { Button } from '../../parts/control/button.tsx'
import { Problem } from '../../parts/feedback/states.tsx'

/** Goes to the external provider, which returns here after sign-in. */
export function ProviderButton({ name }: { name: string }) {
  const { submit, isBusy, failure } = useSubmit(async () => {
    const { url } = await send(api.POST('/sign-in/provider'))
    keepWayBack()
    window.location.assign(url)
  })
  return (
    <form className="stack" onSubmit={submit}>
      {failure !== undefined && <Problem error={failure} />}
      <Button type="submit" isBusy={isBusy}>
        Continue with {name}
      </Button>
    </form>
  )
}
