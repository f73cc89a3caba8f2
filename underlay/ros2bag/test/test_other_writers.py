"""Files that another library wrote are read."""
import pytest
from conftest import run_bag

writer = pytest.importorskip('mcap.writer')


@pytest.mark.parametrize('compression', ['NONE', 'LZ4', 'ZSTD'])
@pytest.mark.parametrize('whole', [True, False])
def test_chunks_of_every_compression_are_read_whole_or_cut(tmp_path, compression, whole):
    file = tmp_path / 'other.mcap'
    with open(file, 'wb') as stream:
        out = writer.Writer(stream, chunk_size=20_000, compression=writer.CompressionType[compression])
        out.start(profile='ros2', library='test')
        schema = out.register_schema('std_msgs/msg/String', 'ros2msg', b'string data')
        channel = out.register_channel('/chat', 'cdr', schema, {})
        for i in range(1000):
            out.add_message(channel, 10**18 + i, f'message {i} {i * i * i % 9973}'.encode() * 5, 10**18 + i)
        out.finish()
    if not whole:
        content = file.read_bytes()
        file.write_bytes(content[:len(content) // 2])
    done = run_bag('info', file)
    assert done.returncode == 0
    count = int(done.stdout.split('Count: ')[1].split()[0])
    if whole:
        assert count == 1000 and done.stderr == ''
    else:
        assert 200 < count < 600 and 'ends too early' in done.stderr
