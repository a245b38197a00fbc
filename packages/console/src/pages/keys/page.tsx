import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { oneKey } from '../../api/queries/keys.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { useSession } from '../../session/session.ts'
import { CreateKeyDialog } from './create-dialog.tsx'
import { KeyList } from './key-list.tsx'
import { KeySheet } from './key-sheet.tsx'
import { NewKeyDialog, type NewSecret } from './new-key-dialog.tsx'

export function KeysPage() {
  const { isAdmin } = useSession()
  const { add, isAdding, close, opened } = useListSearch()
  const [made, setMade] = useState<NewSecret>()
  return (
    <Page
      title="Keys"
      about={
        isAdmin
          ? 'Apps authenticate with an API key. You can see the keys of everyone in the organization.'
          : 'Apps authenticate with an API key. These are your own keys.'
      }
      actions={
        <Button kind="primary" icon={Plus} onClick={add}>
          Create a key
        </Button>
      }
    >
      <KeyList />
      {isAdding && (
        <CreateKeyDialog
          onClose={close}
          onMade={(key) => {
            close()
            setMade(key)
          }}
        />
      )}
      {opened !== undefined && <OpenKey id={opened} onClose={close} onRotated={setMade} />}
      {made && <NewKeyDialog {...made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}

interface OpenKeyProps {
  id: string
  onClose: () => void
  onRotated: (secret: NewSecret) => void
}

function OpenKey({ id, onClose, onRotated }: OpenKeyProps) {
  const { organization } = useSession()
  const { data } = useQuery(oneKey(organization.id, id))
  return data && <KeySheet key={data.id} apiKey={data} onClose={onClose} onRotated={onRotated} />
}
