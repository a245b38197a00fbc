import { encode } from 'uqr'

/** Dark on light in both themes, because some cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg
      className="size-120 justify-self-center [background:#fff] rounded [shape-rendering:crispedges]"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
    >
      <path className="fill-[#000]" d={path} />
    </svg>
  )
}
