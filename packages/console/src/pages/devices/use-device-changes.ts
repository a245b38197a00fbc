import { api, send } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { showProblem, showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

interface Changes {
  name?: string
  isPaused?: boolean
}

export function useDeviceChanges(device: string) {
  const { organization } = useSession()
  const path = { organization: organization.id, device }
  const { mutateAsync: change, isPending } = useChange(organization.id, ['devices'], async (body: Changes) => {
    await send(api.PATCH('/organizations/{organization}/devices/{device}', { params: { path }, body }))
  })
  const { mutateAsync: remove } = useChange(organization.id, ['devices'], async () => {
    await send(api.DELETE('/organizations/{organization}/devices/{device}', { params: { path } }))
  })

  async function setPaused(isPaused: boolean): Promise<void> {
    try {
      await change({ isPaused })
      showToast(isPaused ? 'Device paused. It finishes running jobs and gets no new ones.' : 'Device resumed')
    } catch (error) {
      showProblem(error)
    }
  }

  return {
    isBusy: isPending,
    setPaused: (isPaused: boolean) => void setPaused(isPaused),
    rename: async (name: string) => {
      await change({ name })
      showToast('Device renamed')
    },
    remove: async () => {
      await remove(undefined)
      showToast('Device removed')
    },
  }
}
