import { Splash } from '../../shell/splash.tsx'

export function SetUpPage() {
  return <Splash />
}
