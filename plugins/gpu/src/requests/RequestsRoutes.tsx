import { Route, Routes } from 'react-router-dom';
import { RequestPage } from '../request/RequestPage';
import { RequestsPage } from './RequestsPage';

/** The list, and one request below it. */
export function RequestsRoutes() {
  return (
    <Routes>
      <Route index element={<RequestsPage />} />
      <Route path=":id" element={<RequestPage />} />
    </Routes>
  );
}
