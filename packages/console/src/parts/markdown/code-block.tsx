import { CopyButton } from '../code/copy-button.tsx'
import { HighlightedCode } from './highlighted-code.tsx'

/** Code in a response, highlighted if its language is known. */
export function CodeBlock({ text, language }: { text: string; language: string | undefined }) {
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
          {language === undefined ? text : <HighlightedCode text={text} language={language.toLowerCase()} />}
        </code>
      </pre>
    </div>
  )
}
