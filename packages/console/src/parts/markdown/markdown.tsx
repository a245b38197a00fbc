// Shows model output as Markdown. The output may be hostile: images are never loaded, links ask before they open, and what can't be shown as
// Markdown is plain text, also when it is opened again. Loaded only when there is a response to show.

import { Component, memo, useEffect, useState, type ReactNode } from 'react'
import { PartNotLoaded } from '../../lib/lazy-part.ts'
import { Button } from '../control/button.tsx'
import { MarkdownText, type MarkdownParts } from './markdown-text.tsx'
import { OutsideLink } from './outside-link.tsx'
import { Unfinished } from './unfinished.ts'

const PARTS: MarkdownParts = { Link: OutsideLink, Image: ImageAsText }

const unfinished = new Unfinished(localStorage)
window.addEventListener('pagehide', () => unfinished.leave())

interface MarkdownProps {
  /** The same whenever this text is shown. */
  id: string
  text: string
  isRunning: boolean
}

export const Markdown = memo(function Markdown({ id, ...shown }: MarkdownProps) {
  const [isPlain, setPlain] = useState(() => unfinished.hasFailed(id))
  const fail = () => {
    unfinished.fail(id)
    setPlain(true)
  }
  const retry = () => {
    unfinished.forget(id)
    setPlain(false)
  }
  if (isPlain) return <PlainText {...shown} onRetry={retry} />
  return (
    <ErrorBoundary onError={fail}>
      <Formatted id={id} {...shown} />
    </ErrorBoundary>
  )
})

function Formatted({ id, text, isRunning }: MarkdownProps) {
  unfinished.begin(id)
  useEffect(() => afterPaint(() => unfinished.end(id)))
  return (
    <div className={`markdown ${isRunning ? 'is-running' : ''}`} dir="auto">
      <MarkdownText text={text} parts={PARTS} />
    </div>
  )
}

/** Layout and paint may end the page, too. Returns how to do nothing. */
function afterPaint(action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(action)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

function PlainText({ text, isRunning, onRetry }: Omit<MarkdownProps, 'id'> & { onRetry: () => void }) {
  return (
    <div className="grid gap-5">
      <div className={`model-text ${isRunning ? 'is-running' : ''}`} dir="auto">
        {text}
      </div>
      <p className="row text-small text-soft">
        Shown as plain text, because formatting it failed.
        <Button kind="quiet" size="small" onClick={onRetry}>
          Try again
        </Button>
      </p>
    </div>
  )
}

/** Catches what goes wrong in one response, so that the rest of the page lives. A part that did not load concerns the whole page. */
class ErrorBoundary extends Component<{ onError: () => void; children: ReactNode }, { error?: unknown }> {
  override readonly state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof PartNotLoaded)) this.props.onError()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error instanceof PartNotLoaded) throw error
    return error === undefined ? this.props.children : null
  }
}

/** Loading an image would tell its server that someone reads the response, along with anything the model put into the URL. */
function ImageAsText({ address, alt }: { address: string; alt: string }) {
  return (
    <span className="bg-sunken border border-dashed border-line-strong rounded-[5px] px-4">
      Image{alt ? `: ${alt}` : ''} <span className="text-faint">({address || 'no URL'})</span>
    </span>
  )
}
