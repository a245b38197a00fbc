import type { Schemas } from '../../api/client.ts'
import type { paths } from '../../api/schema.d.ts'
import { report } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

type Change = paths['/organizations/{organization}/keys/{key}']['patch']['requestBody']['content']['application/json']

/** Changes that take one click. A toast says how they went. */
export function useKeyChanges({ id: key }: Schemas['Key']) {
  const changing = useChange(['keys'], async (own, body: Change) => own.patch('/keys/{key}', { key, body }))
  const ending = useChange(['keys'], async (own) => own.delete('/keys/{key}/previous', { key }))
  return {
    change: (body: Change, done: string) => report(changing.mutateAsync(body), done),
    endPrevious: () => report(ending.mutateAsync(), 'Old secret stopped'),
    save: async (body: Change) => changing.mutateAsync(body),
    isBusy: changing.isPending || ending.isPending,
  }
}
