import { api, send } from '../../api/client.ts'
import { report } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

interface OnDevice {
  device: string
  model: string
}

interface Start extends OnDevice {
  source: string
}

/** Starts, pauses and cancels downloads on devices. */
export function useDownloads() {
  const starting = useChange(['models', 'devices'], async (path, { device, model, source }: Start) => {
    const params = { path: { ...path, device } }
    const body = { source, name: model }
    return send(api.POST('/organizations/{organization}/devices/{device}/downloads', { params, body }))
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
    resume: (download: Start) => report(starting.mutateAsync(download), 'Download resumed'),
    pause: (device: string, model: string) => report(pausing.mutateAsync({ device, model }), 'Download paused'),
    cancel: (device: string, model: string) => report(canceling.mutateAsync({ device, model }), 'Download canceled'),
  }
}
