import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@hearth/password-rules/bounds'
import { TextField } from './field.tsx'
import type { judgePassword, PasswordVerdict } from '@hearth/password-rules'
import { useEffect, useState } from 'react'
import './password-strength.css'

interface NewPasswordProps {
  label: string
  /** Shown after the sentence about the length. */
  advice: string
  /** The address of the person: the password must not contain it. */
  email: string
  value: string
  onChange: (password: string) => void
}

export function NewPasswordField({ label, advice, email, value, onChange }: NewPasswordProps) {
  return (
    <div>
      <TextField
        label={label}
        type="password"
        autoComplete="new-password"
        required
        minLength={SHORTEST_PASSWORD}
        maxLength={LONGEST_PASSWORD}
        hint={`At least ${SHORTEST_PASSWORD} characters. ${advice}`}
        value={value}
        onText={onChange}
      />
      <PasswordStrength password={value} email={email} />
    </div>
  )
}

type Judge = typeof judgePassword

/** Says how hard the password is to guess. It never leaves the page: the rules come here. */
function PasswordStrength({ password, email }: { password: string; email: string }) {
  const judge = useJudge(password !== '')
  const verdict = password === '' ? undefined : judge?.(password, email)
  return (
    <div className="password-strength" data-level={verdict && levelOf(verdict)}>
      <span className="password-bar" aria-hidden="true" />
      {/* Always there, so that screen readers announce what appears in it. */}
      <p role="status">{verdict && describe(verdict)}</p>
    </div>
  )
}

/** Loads the rules with the first character: they bring a list of common passwords along. */
function useJudge(isNeeded: boolean): Judge | undefined {
  const [judge, setJudge] = useState<Judge>()
  useEffect(() => {
    if (!isNeeded || judge) return
    import('@hearth/password-rules').then(
      (rules) => setJudge(() => rules.judgePassword),
      // Nothing is shown then: the gateway decides in any case, and says why.
      () => undefined,
    )
  }, [isNeeded, judge])
  return judge
}

function levelOf(verdict: PasswordVerdict): string {
  return verdict.kind === 'rejected' ? 'rejected' : verdict.strength
}

function describe(verdict: PasswordVerdict): string {
  return verdict.kind === 'rejected' ? verdict.message : `Strength: ${verdict.strength}`
}
