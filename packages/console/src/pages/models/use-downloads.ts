import { api, send } from '../../api/client.ts'
import { report } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

interface OnDevice {
  device: string
  model: string
}

/** Starts, pauses and cancels downloads on devices. */
export function useDownloads() {
  const starting = useChange(['models', 'devices'], async (path, input: { device: string; source: string }) => {
    const { device, source } = input
    const params = { path: { ...path, device } }
    return send(api.POST('/organizations/{organization}/devices/{device}/downloads', { params, body: { source } }))
  })
  const pausing = useChange(['models', 'devices'], async (path, { device, model }: OnDevice) => {
    const params = { path: { ...path, device } }
    await send(api.POST('/organizations/{organization}/devices/{device}/downloads/pause', { params, body: { model } }))
  })
  const canceling = useChange(['models', 'devices'], async (path, { device, model }: OnDevice) => {
    const params = { path: { ...path, device }, query: { model } }
    await send(api.DELETE('/organizations/{organization}/devices/{device}/downloads', { params }))
  })
  return {
    isBusy: starting.isPending || pausing.isPending || canceling.isPending,
    start: starting.mutateAsync,
    resume: (device: string, source: string) => report(starting.mutateAsync({ device, source }), 'Download resumed'),
    pause: (device: string, model: string) => report(pausing.mutateAsync({ device, model }), 'Download paused'),
    cancel: (device: string, model: string) => report(canceling.mutateAsync({ device, model }), 'Download canceled'),
  }
}
