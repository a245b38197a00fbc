import { FileText, X } from 'lucide-react'
import { formatBytes } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import type { Attachment } from '../conversation/conversation.ts'
import './attachments.css'

interface AttachmentsProps {
  files: readonly Attachment[]
  /** Absent once the files are part of the conversation. */
  onRemove?: (file: Attachment) => void
}

export function Attachments({ files, onRemove }: AttachmentsProps) {
  if (files.length === 0) return null
  return (
    <ul className="attachments" aria-label="Attached files">
      {files.map((file) => (
        <li key={file.id} className="attachment">
          <FileText size={16} aria-hidden />
          <Name text={file.name} isCut />
          <span className="small faint numbers">{formatBytes(file.size)}</span>
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
