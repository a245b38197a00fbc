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
  const starting = useChange(['models', 'devices'], async (own, { device, model, source }: Start) =>
    own.post('/devices/{device}/downloads', { device, body: { source, name: model } }),
  )
  const pausing = useChange(['models', 'devices'], async (own, { device, model }: OnDevice) =>
    own.post('/devices/{device}/downloads/pause', { device, body: { model } }),
  )
  const canceling = useChange(['models', 'devices'], async (own, { device, model }: OnDevice) =>
    own.delete('/devices/{device}/downloads', { device, query: { model } }),
  )
  return {
    isBusy: starting.isPending || pausing.isPending || canceling.isPending,
    start: starting.mutateAsync,
    resume: (download: Start) => report(starting.mutateAsync(download), 'Download resumed'),
    pause: (device: string, model: string) => report(pausing.mutateAsync({ device, model }), 'Download paused'),
    cancel: (device: string, model: string) => report(canceling.mutateAsync({ device, model }), 'Download canceled'),
  }
}
