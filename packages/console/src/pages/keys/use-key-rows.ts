// The keys of a long list, fetched a page at a time: the pages on the screen and nothing else.

import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { KEY_PAGE, keyPage, type KeyQuestion } from '../../api/queries/keys.ts'
import { useSession } from '../../session/session.ts'

export function useKeyRows(question: KeyQuestion) {
  const { organization } = useSession()
  const [pages, setPages] = useState<readonly number[]>([0])
  const onShow = useCallback((first: number, end: number) => {
    const [low, high] = [Math.floor(first / KEY_PAGE), Math.floor(Math.max(first, end - 1) / KEY_PAGE)]
    setPages((before) =>
      before[0] === low && before.at(-1) === high
        ? before
        : Array.from({ length: high - low + 1 }, (_, at) => low + at),
    )
  }, [])
  const first = useQuery(keyPage(organization.id, question, 0))
  const shown = useQueries({ queries: pages.map((page) => keyPage(organization.id, question, page)) })
  const rowAt = (index: number): Shapes['Key'] | undefined => {
    const place = pages.indexOf(Math.floor(index / KEY_PAGE))
    const query = shown[place]
    return query?.isPlaceholderData ? undefined : query?.data?.keys[index % KEY_PAGE]
  }
  return { first, rowAt, onShow }
}
