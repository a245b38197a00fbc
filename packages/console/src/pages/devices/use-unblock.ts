import { api, send } from '../../api/client.ts'
import { report } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

/** Lets a device accept the requests again that it blocks. */
export function useUnblock(device: string) {
  const unblocking = useChange(['devices'], async (path, model: string) => {
    const params = { path: { ...path, device } }
    await send(api.POST('/organizations/{organization}/devices/{device}/models/unblock', { params, body: { model } }))
  })
  return {
    isBusy: unblocking.isPending,
    unblock: (model: string) => report(unblocking.mutateAsync(model), 'The device accepts all requests again'),
  }
}
