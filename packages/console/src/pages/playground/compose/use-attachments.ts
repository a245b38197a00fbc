import { useCallback, type Dispatch, type SetStateAction } from 'react'
import { showProblem } from '../../../parts/feedback/toasts.tsx'
import { nextId } from '../conversation/chat-store.ts'
import type { Attachment } from '../conversation/conversation.ts'
import { MAX_FILES, readAttachment } from './read-attachment.ts'

/** How to attach the files of a file dialog, a drop or a paste. */
export function useAttach(set: Dispatch<SetStateAction<readonly Attachment[]>>): (files: Iterable<File>) => void {
  return useCallback(
    (files) => {
      for (const file of files)
        readAttachment(file, nextId()).then((attachment) => set((all) => addFile(all, attachment)), showProblem)
    },
    [set],
  )
}

/** A file with the same name replaces the one before. */
function addFile(all: readonly Attachment[], file: Attachment): readonly Attachment[] {
  const others = all.filter(({ name }) => name !== file.name)
  if (others.length < MAX_FILES) return [...others, file]
  showProblem(new Error(`You can attach ${MAX_FILES} files at a time.`))
  return all
}
