import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import type { paths } from '../../api/schema.d.ts'
import { messageOf } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

type Change = paths['/organizations/{organization}/keys/{key}']['patch']['requestBody']['content']['application/json']

/** Changes that take one click. A toast says how they went. */
export function useKeyChanges(key: Shapes['Key']) {
  const { organization } = useSession()
  const params = { path: { organization: organization.id, key: key.id } }
  const changing = useChange(organization.id, ['keys'], async (body: Change) =>
    send(api.PATCH('/organizations/{organization}/keys/{key}', { params, body })),
  )
  const ending = useChange(organization.id, ['keys'], async () =>
    send(api.DELETE('/organizations/{organization}/keys/{key}/previous', { params })),
  )
  const onError = (error: Error) => showToast(messageOf(error))
  return {
    change: (body: Change, done: string) => changing.mutate(body, { onSuccess: () => showToast(done), onError }),
    endPrevious: () => ending.mutate(undefined, { onSuccess: () => showToast('Old secret stopped'), onError }),
    save: async (body: Change) => changing.mutateAsync(body),
    isBusy: changing.isPending || ending.isPending,
  }
}
