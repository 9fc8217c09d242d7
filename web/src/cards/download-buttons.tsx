import type { SheetData } from 'write-excel-file/browser';
import type { Cell } from '../api/contract.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { toCsv } from './to-csv.ts';
import type { ShownRows } from './use-rows.ts';

type Table = Pick<ShownRows, 'columns' | 'rows'>;

/** The rows as files. */
export function DownloadButtons({ rows, name }: { readonly rows: Table; readonly name: string }) {
  const messages = useMessages();
  const file =
    name
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'rows';
  const csv = () => save(new Blob([toCsv(rows.columns, rows.rows)], { type: 'text/csv' }), `${file}.csv`);
  const xlsx = async () => save(await toXlsx(rows), `${file}.xlsx`);
  return (
    <span className="downloads">
      <button type="button" onClick={csv} aria-label={messages.download('CSV')}>
        CSV
      </button>
      <button type="button" onClick={() => void xlsx()} aria-label={messages.download('XLSX')}>
        XLSX
      </button>
    </span>
  );
}

async function toXlsx({ columns, rows }: Table): Promise<Blob> {
  const { default: writeExcelFile } = await import('write-excel-file/browser');
  const heads = columns.map((column) => ({ value: column, fontWeight: 'bold' as const }));
  const sheet: SheetData = [heads, ...rows.map((row) => row.map(storedIn))];
  return writeExcelFile(sheet).toBlob();
}

/** A spreadsheet reads what is typed as text as text, formulas as well. */
function storedIn(cell: Cell): string | number | boolean | null {
  return typeof cell === 'object' && cell !== null ? cell.base64 : cell;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
