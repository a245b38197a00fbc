import { report } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

export function useDeviceChanges(device: string) {
  const changing = useChange(['devices'], async (own, body: { name?: string; isPaused?: boolean }) =>
    own.patch('/devices/{device}', { device, body }),
  )
  const removing = useChange(['devices'], async (own) => own.delete('/devices/{device}', { device }))
  return {
    isBusy: changing.isPending,
    setPaused: (isPaused: boolean) => {
      const done = isPaused ? 'Device paused. It finishes its running jobs and gets no new ones.' : 'Device resumed'
      report(changing.mutateAsync({ isPaused }), done)
    },
    rename: async (name: string) => changing.mutateAsync({ name }),
    remove: removing.mutateAsync,
  }
}
