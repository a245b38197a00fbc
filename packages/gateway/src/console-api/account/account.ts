import type { ConsoleApp, ConsoleParts } from '../console.ts'
import { addAccountDeletion } from './delete-account.ts'
import { addMe } from './me.ts'
import { addSecondFactor } from './second-factor.ts'
import { addSetUp } from './set-up.ts'
import { addSignIn } from './sign-in.ts'

export function addAccount(app: ConsoleApp, parts: ConsoleParts): void {
  addSignIn(app, parts)
  addSetUp(app, parts)
  addMe(app, parts)
  addAccountDeletion(app, parts)
  addSecondFactor(app, parts)
}
