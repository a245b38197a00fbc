import { api, send, type Shapes } from '../../api/client.ts'
import type { paths } from '../../api/schema.d.ts'
import { report } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

type Change = paths['/organizations/{organization}/keys/{key}']['patch']['requestBody']['content']['application/json']

/** Changes that take one click. A toast says how they went. */
export function useKeyChanges({ id: key }: Shapes['Key']) {
  const changing = useChange(['keys'], async (path, body: Change) =>
    send(api.PATCH('/organizations/{organization}/keys/{key}', { params: { path: { ...path, key } }, body })),
  )
  const ending = useChange(['keys'], async (path) =>
    send(api.DELETE('/organizations/{organization}/keys/{key}/previous', { params: { path: { ...path, key } } })),
  )
  return {
    change: (body: Change, done: string) => report(changing.mutateAsync(body), done),
    endPrevious: () => report(ending.mutateAsync(), 'Old secret stopped'),
    save: async (body: Change) => changing.mutateAsync(body),
    isBusy: changing.isPending || ending.isPending,
  }
}
