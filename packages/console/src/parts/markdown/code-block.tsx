import { Suspense } from 'react'
import type { ExtraProps } from 'react-markdown'
import { lazyPart } from '../../lib/lazy-part.ts'
import { CopyButton } from '../code/copy-button.tsx'

const HighlightedCode = lazyPart(async () => (await import('./highlighted-code.tsx')).HighlightedCode)

/** Code in a response, colored if its language is known. */
export function CodeBlock({ node }: ExtraProps) {
  const { text, language } = readCode(node?.children[0])
  return (
    <div className="code-block">
      <div className="flex items-center justify-between border-b border-line pr-3 pl-9 py-1.5">
        <span className="text-small text-soft">{language}</span>
        <CopyButton isBare text={text} label="Copy code" />
      </div>
      <pre
        className="overflow-auto wrap-normal rounded-b [tab-size:4] px-9 py-7"
        tabIndex={0}
        aria-label={language === undefined ? 'Code' : `${language} code`}
      >
        <code dir="ltr">
          {language === undefined ? (
            text
          ) : (
            <Suspense fallback={text}>
              <HighlightedCode text={text} language={language.toLowerCase()} />
            </Suspense>
          )}
        </code>
      </pre>
    </div>
  )
}

type Node = NonNullable<ExtraProps['node']>['children'][number]

function readCode(code: Node | undefined): { text: string; language: string | undefined } {
  if (code?.type !== 'element') return { text: '', language: undefined }
  const [, language] = /language-([^\s,]+)/.exec(String(code.properties['className'])) ?? []
  const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('')
  return { text: text.replace(/\n$/, ''), language }
}
