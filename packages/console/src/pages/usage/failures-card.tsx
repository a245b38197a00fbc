import type { Shapes } from '../../api/client.ts'
import { formatCount } from '../../lib/format.ts'

/** Failed requests by error code, including those that never reached a device. */
export function FailuresCard({ usage, onChoose }: { usage: Shapes['Usage']; onChoose: (code: string) => void }) {
  const { codes, total } = usage
  const most = codes[0]?.requests ?? 1
  return (
    <section className="card card-body stack" aria-label="Failed requests by code">
      <header>
        <h2>Failed requests</h2>
        <p className="soft small">
          {codes.length > 0
            ? 'By error code, including requests that were rejected before they reached a device.'
            : describeNone(total.errors)}
        </p>
      </header>
      <ul className="failures">
        {codes.map(({ code, status, requests }) => (
          <li key={code}>
            <button type="button" className="failure" onClick={() => onChoose(code)}>
              <span className="failure-name">
                <code>{code}</code> {status > 0 && <span className="faint small">{status}</span>}
              </span>
              <span className="numbers">{formatCount(requests)}</span>
              <span className="failure-bar" aria-hidden style={{ width: `${(requests / most) * 100}%` }} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Error codes are recorded since a later version than errors are. */
function describeNone(errors: number): string {
  if (errors === 0) return 'Every request in this period was answered or canceled by its client.'
  return `${formatCount(errors)} failed. Their error codes were not recorded.`
}
