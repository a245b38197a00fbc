import { readMeAgain } from '../../api/changes.ts'
import { hasBrowserPasskeys, signInWithPasskey } from '../../api/passkeys.ts'
import { Form } from '../../parts/dialog/form.tsx'

export function PasskeyButton() {
  const act = async () => {
    await signInWithPasskey()
    await readMeAgain()
  }
  return hasBrowserPasskeys() && <Form act={act} action="Use a passkey" kind="plain" isWide />
}
