// Each stops engines that all share: of one file, they follow one another.
import './engines.ts'
import './search-index.ts'
import './content-store.ts'
