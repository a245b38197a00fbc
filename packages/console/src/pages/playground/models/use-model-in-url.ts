import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** The URL names the model of the first lane, so that other pages can link to it. Returns how to choose a model. */
export function useModelInUrl(onOpen: (model: string) => void): (model: string | undefined) => void {
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const choose = useEffectEvent(onOpen)
  useEffect(() => {
    if (open !== undefined) choose(open)
  }, [open])
  return (model) => void navigate({ to: '.', search: model === undefined ? {} : { open: model }, replace: true })
}
