import { report, showToast } from '../../parts/feedback/toasts.tsx'
import { useChange } from '../../session/use-change.ts'

interface Changes {
  name?: string
  isPaused?: boolean
}

export function useDeviceChanges(device: string) {
  const changing = useChange(['devices'], async (own, body: Changes) =>
    own.patch('/devices/{device}', { device, body }),
  )
  const removing = useChange(['devices'], async (own) => own.delete('/devices/{device}', { device }))
  return {
    isBusy: changing.isPending,
    setPaused: (isPaused: boolean) => {
      const done = isPaused ? 'Device paused. It finishes its running jobs and gets no new ones.' : 'Device resumed'
      report(changing.mutateAsync({ isPaused }), done)
    },
    rename: async (name: string) => {
      await changing.mutateAsync({ name })
      showToast('Device renamed')
    },
    remove: async () => {
      await removing.mutateAsync()
      showToast('Device removed')
    },
  }
}
