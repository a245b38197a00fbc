// Whether an organization takes requests in the clear, and sealed ones.

import { ApiError } from '@hearth/chat'
import type { Caller } from '../access/book/access-book.ts'

export type RequestKind = 'plain' | 'sealed'

/** Throws a 403 for a request that the organization does not take. */
export function admitKind({ sealing }: Caller, kind: RequestKind): void {
  if (kind === 'plain' && sealing === 'required')
    throw new ApiError(
      'sealed_required',
      'Your organization takes only sealed requests. Run `hearth-seal proxy` on your machine and use the base URL that it prints; docs/sealed.md says how.',
    )
  if (kind === 'sealed' && sealing === undefined)
    throw new ApiError(
      'sealed_off',
      'Your organization does not take sealed requests. An administrator can turn them on in the console, under Settings → Sealed requests.',
    )
}
