import { judgePassword } from '@hearth/password-rules'
import { ApiError } from '@hearth/chat'
import { hashPassword } from '../../access/accounts/passwords.ts'

/** Rejects a password that is easy to guess for someone who knows its owner's address. */
export function checkNewPassword(password: string, email: string): void {
  const verdict = judgePassword(password, email)
  if (verdict.kind === 'rejected') throw new ApiError('weak_password', verdict.message, 'password')
}

export async function hashNewPassword({ password, email }: { password: string; email: string }): Promise<string> {
  checkNewPassword(password, email)
  return await hashPassword(password)
}
