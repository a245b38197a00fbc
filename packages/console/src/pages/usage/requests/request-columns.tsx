import type { Schemas } from '../../../api/client.ts'
import { formatCount, formatDateTime, formatMs, formatSecond, plural } from '../../../lib/format.ts'
import { Badge } from '../../../parts/text/badge.tsx'
import { SealedMark } from '../../../parts/model/sealed-mark.tsx'
import { TakeOver } from '../../../parts/model/take-over.tsx'
import { Name } from '../../../parts/text/name.tsx'
import type { Column } from '../../../parts/table/column.ts'

type Request = Schemas['Request']

const NARROW = '@min-[44rem]:@max-[60rem]:max-w-65'

export const REQUEST_COLUMNS: readonly Column<Request>[] = [
  {
    title: 'Time',
    kind: 'main',
    cell: ({ at, id, isSealed }) => (
      <span className="inline-flex items-center gap-5">
        <time dateTime={at} title={`${formatDateTime(at)}\n${id}`} className="tabular-nums">
          {formatSecond(at)}
        </time>
        {isSealed && <SealedMark />}
      </span>
    ),
  },
  { title: 'Result', cell: (request) => <Result request={request} /> },
  {
    title: 'Model',
    className: NARROW,
    cell: ({ model }) => (model === '' ? <span className="text-faint">unknown</span> : <Name text={model} isCut />),
  },
  { title: 'Key', className: NARROW, cell: ({ key }) => <Name text={key.name} isCut /> },
  { title: 'Device', className: '@min-[44rem]:max-w-125', cell: (request) => <Device request={request} /> },
  {
    title: 'Tokens',
    kind: 'number',
    cell: ({ promptTokens, completionTokens }) =>
      promptTokens + completionTokens === 0 ? (
        <None />
      ) : (
        <span title="in → out">
          {formatCount(promptTokens)} → {formatCount(completionTokens)}
        </span>
      ),
  },
  {
    title: 'Wait',
    kind: 'number',
    isMinor: true,
    cell: ({ waitMs, attempts }) => (attempts === 0 && waitMs === 0 ? <None /> : formatMs(waitMs)),
  },
  {
    title: 'First token',
    kind: 'number',
    isMinor: true,
    cell: ({ firstTokenMs }) => (firstTokenMs === null ? <None /> : formatMs(firstTokenMs)),
  },
  { title: 'Request ID', isMinor: true, cell: ({ id }) => <Name text={id} isCut /> },
  { title: 'Total', kind: 'number', cell: ({ totalMs }) => (totalMs === 0 ? <None /> : formatMs(totalMs)) },
]

function None() {
  return <span className="text-faint">–</span>
}

/** More than one attempt is worth a word. Rows are as high as two lines, so a sentence fits where most have a name. */
function Device({ request: { device, attempts, takeOver } }: { request: Request }) {
  if (!device) return <None />
  return (
    <span className="request-device block max-h-[2.6em] overflow-hidden leading-[1.3] whitespace-normal text-balance @max-[44rem]:grid @max-[44rem]:content-center @max-[44rem]:min-h-[2.6em] @max-[44rem]:text-right">
      {takeOver ? <TakeOver device={device.name} takeOver={takeOver} /> : <Name text={device.name} isCut />}
      {!takeOver && attempts > 1 && <span className="text-faint"> ({plural(attempts, 'attempt')})</span>}
    </span>
  )
}

function Result({ request: { status, code } }: { request: Request }) {
  if (code === null) return <Badge tone="good">{status}</Badge>
  if (code === 'canceled') return <Badge>Canceled</Badge>
  return (
    <span className="inline-flex items-center gap-5">
      <Badge tone={status >= 500 ? 'bad' : 'warn'}>{status}</Badge> <code className="text-small">{code}</code>
    </span>
  )
}
