import type { JobHandle, Outlet } from '@hearth/chat'

interface Attached {
  attach(handle: JobHandle): void
  abandon(): void
}

/** The job ends when its client leaves. */
export function endWithClient(handle: JobHandle, reply: Attached, outlet: Outlet): void {
  reply.attach(handle)
  outlet.onGone(() => {
    reply.abandon()
    handle.cancel('client-gone')
  })
}
