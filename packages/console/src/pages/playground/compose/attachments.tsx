import { FileText, X } from 'lucide-react'
import { formatBytes } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import type { Attachment } from '../conversation/turn.ts'

interface AttachmentsProps {
  files: readonly Attachment[]
  /** Absent once the files are part of the conversation. */
  onRemove?: (file: Attachment) => void
}

export function Attachments({ files, onRemove }: AttachmentsProps) {
  if (files.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-4 min-w-0" aria-label="Attached files">
      {files.map((file) => (
        <li
          key={file.id}
          className="flex items-center gap-4 max-w-[min(20rem,100%)] min-h-20 bg-surface border border-line-strong rounded px-6 py-1.5 has-[>button]:pe-1.5 [&>svg]:flex-none"
        >
          <FileText size={16} aria-hidden />
          <Name text={file.name} isCut />
          <span className="text-small text-faint tabular-nums flex-none">{formatBytes(file.size)}</span>
          {onRemove && (
            <Button
              kind="quiet"
              size="small"
              icon={X}
              aria-label={`Remove ${showOddCharacters(file.name)}`}
              onClick={() => onRemove(file)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
