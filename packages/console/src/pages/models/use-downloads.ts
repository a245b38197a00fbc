import { api, send } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { showProblem, showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

interface OnDevice {
  device: string
  model: string
}

/** Starts, pauses and cancels downloads on devices. */
export function useDownloads() {
  const { organization } = useSession()
  const path = (device: string) => ({ organization: organization.id, device })
  const starting = useChange(
    organization.id,
    ['models', 'devices'],
    async ({ device, source }: { device: string; source: string }) => {
      const params = { path: path(device) }
      return send(api.POST('/organizations/{organization}/devices/{device}/downloads', { params, body: { source } }))
    },
  )
  const pausing = useChange(organization.id, ['models', 'devices'], async ({ device, model }: OnDevice) => {
    const params = { path: path(device) }
    await send(api.POST('/organizations/{organization}/devices/{device}/downloads/pause', { params, body: { model } }))
  })
  const canceling = useChange(organization.id, ['models', 'devices'], async ({ device, model }: OnDevice) => {
    const params = { path: path(device), query: { model } }
    await send(api.DELETE('/organizations/{organization}/devices/{device}/downloads', { params }))
  })

  async function tell(act: Promise<unknown>, done: string): Promise<void> {
    try {
      await act
      showToast(done)
    } catch (error) {
      showProblem(error)
    }
  }

  return {
    isBusy: starting.isPending || pausing.isPending || canceling.isPending,
    start: starting.mutateAsync,
    resume: (device: string, source: string) =>
      void tell(starting.mutateAsync({ device, source }), 'The download goes on'),
    pause: (device: string, model: string) => void tell(pausing.mutateAsync({ device, model }), 'Download paused'),
    cancel: (device: string, model: string) => void tell(canceling.mutateAsync({ device, model }), 'Download canceled'),
  }
}
