import { Splash } from '../../shell/splash.tsx'

export function InvitationPage() {
  return <Splash />
}
