import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@hearth/password-rules/bounds'
import { TextField } from './field.tsx'
import type { judgePassword } from '@hearth/password-rules'
import { useEffect, useState } from 'react'

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

const BARS = {
  rejected: 'w-1/4 bg-bad-solid',
  fair: 'w-1/2 bg-warn-mark',
  good: 'w-3/4 bg-good-mark',
  strong: 'w-full bg-good-mark',
}

/** Says how hard the password is to guess. It never leaves the page: the rules come here. */
function PasswordStrength({ password, email }: { password: string; email: string }) {
  const judge = useJudge(password !== '')
  const verdict = password === '' ? undefined : judge?.(password, email)
  const level = verdict?.kind === 'rejected' ? 'rejected' : verdict?.strength
  return (
    <div className={`grid gap-3.5 text-small ${level === undefined ? '' : 'mt-4'}`}>
      {/* With forced colors, the words say it alone. */}
      {level !== undefined && (
        <span className="h-2.5 overflow-hidden bg-field-line rounded forced-colors:hidden" aria-hidden>
          <span className={`block h-full ${BARS[level]}`} />
        </span>
      )}
      {/* Always there, so that screen readers announce what appears in it. */}
      <p role="status" className={level === 'rejected' ? 'text-bad' : ''}>
        {verdict?.kind === 'rejected' ? verdict.message : verdict && `Strength: ${verdict.strength}`}
      </p>
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
