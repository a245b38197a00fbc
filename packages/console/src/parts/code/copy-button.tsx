import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../control/button.tsx'

const SHOWN_MS = 2_000

interface CopyProps {
  text: string
  /** Names the copied text for screen readers: "Copy key". */
  label: string
  /** The same for everyone, where it doesn't stand beside its text. */
  isNamed?: boolean
  isBare?: boolean
  size?: 'usual' | 'small'
}

export function CopyButton({ text, label, isNamed = false, isBare = false, size = 'small' }: CopyProps) {
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  const said = isCopied ? 'Copied' : label
  return (
    <Button
      size={size}
      kind={isBare ? 'quiet' : 'plain'}
      icon={isCopied ? Check : Copy}
      aria-label={said}
      word={isCopied ? 'Copied' : 'Copy'}
      onClick={() => void copy()}
    >
      {isBare ? undefined : isNamed ? said : isCopied ? 'Copied' : 'Copy'}
    </Button>
  )
}

/** Text to paste elsewhere, shown verbatim with a copy button. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-5 min-w-0 py-5 pr-5 bg-sunken border border-line rounded">
      {/* A single long line wraps, so that all of it is visible. */}
      <pre
        tabIndex={0}
        aria-label={label}
        className={`flex-1 min-w-0 py-3 pr-5 pl-9 overflow-auto rounded [tab-size:2] ${text.includes('\n') ? '' : 'whitespace-pre-wrap wrap-anywhere'}`}
      >
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  )
}

/** Browsers restrict the clipboard API to secure pages, and gateways on a local network often use plain HTTP. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  const parent = document.querySelector('dialog[open]:last-of-type') ?? document.body
  parent.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
